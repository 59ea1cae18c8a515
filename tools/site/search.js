// A dash before a word forbids it, to the index: who looks for `--select` means the word.
(() => {
  const kQuery = 2;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === kQuery && typeof message.data === "string") {
      message = {...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1")};
    }
    return post.call(this, message, ...rest);
  };
})();
