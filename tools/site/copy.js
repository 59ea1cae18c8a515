// The copy button of a console block copies its commands, without the prompt and without what they print.
document$.subscribe(() => {
  for (const block of document.querySelectorAll(".language-console")) {
    const lines = block.querySelector("code").textContent.split("\n");
    const commands = lines.filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2));
    block.setAttribute("data-copy", commands.join("\n") + "\n");
  }
});
