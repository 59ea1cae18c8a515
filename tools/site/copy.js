// The copy button of a console block copies its commands, without the prompt and without what they print.
document$.subscribe(() => {
  for (const block of document.querySelectorAll(".language-console")) {
    let commands = "";
    let inCommand = false;
    for (const line of block.querySelector("code").textContent.split("\n")) {
      // `> ` goes on with a command only right behind it; some outputs have such lines too.
      inCommand = line.startsWith("$ ") || (inCommand && line.startsWith("> "));
      if (inCommand) commands += line.slice(2) + "\n";
    }
    block.setAttribute("data-copy", commands);
  }
});
