// Copy the address of what is shown. It never holds the token, which lives behind "#" only while the page is opened.

/** Put text on the clipboard; pages without TLS from elsewhere than this machine only have the old way. */
export async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("The browser did not copy the link; it is in the address bar.");
}
