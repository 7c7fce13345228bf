// What the page shows is in its address, so that a link can be shared and "back" works.

const NAMES = ["view", "model", "member", "to", "word", "beside", "contains", "min_score", "sort", "mutual"];
const DEFAULTS = { sort: "score", mutual: "true" };

export function readState(address = location.href) {
  const query = new URL(address, location.href).searchParams;
  const state = {};
  for (const name of NAMES) state[name] = query.get(name) ?? DEFAULTS[name] ?? null;
  return state;
}

export function addressOf(state) {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    if (state[name] && state[name] !== DEFAULTS[name]) query.set(name, state[name]);
  }
  const text = query.toString();
  return text ? `/?${text}` : "/";
}

/** Make links that carry data-go change the state instead of loading the page; call render after every change. */
export function followLinks(render) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href"), render);
  });
  addEventListener("popstate", () => render({ moved: false }));
}

export function go(address, render) {
  const target = new URL(address, location.href);
  if (target.href !== location.href) history.pushState(null, "", target);
  render({ moved: true });
}

export function replaceState(state) {
  history.replaceState(null, "", addressOf(state));
}
