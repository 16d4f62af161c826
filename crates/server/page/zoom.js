// A large picture in a small window: zoomed by wheel, keys and buttons, moved by dragging.

import { h, iconButton } from "./dom.js";

const STEP = 1.3;
const MOST = 8;

/** @param {SVGSVGElement} svg */
export function zoomable(svg) {
  const box = svg.viewBox.baseVal;
  const width = box?.width || Number.parseFloat(svg.getAttribute("width") ?? "") || 800;
  const height = box?.height || Number.parseFloat(svg.getAttribute("height") ?? "") || 600;
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  let [x, y, scale, least] = [0, 0, 1, 0.05];
  const apply = () => {
    svg.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  };
  /** @param {number} factor @param {number} [atX] @param {number} [atY] */
  const zoom = (factor, atX = element.clientWidth / 2, atY = element.clientHeight / 2) => {
    const next = Math.min(MOST, Math.max(least, scale * factor));
    x = atX - ((atX - x) * next) / scale;
    y = atY - ((atY - y) * next) / scale;
    scale = next;
    apply();
  };
  const fit = () => {
    scale = Math.min(element.clientWidth / width, element.clientHeight / height, 1.5);
    if (!(scale > 0)) scale = 1;
    least = scale / 2;
    x = (element.clientWidth - width * scale) / 2;
    y = (element.clientHeight - height * scale) / 2;
    apply();
  };
  const tools = h(
    "div",
    { class: "zoom-tools" },
    iconButton("plus", "Larger", () => zoom(STEP)),
    iconButton("minus", "Smaller", () => zoom(1 / STEP)),
    h("button", { type: "button", onclick: fit }, "Fit"),
  );
  const element = h(
    "div",
    { class: "zoom", tabindex: "0", role: "group", "aria-label": "Picture; plus and minus zoom, arrows move" },
    svg,
    tools,
  );
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest("button"))) return;
    element.setPointerCapture(event.pointerId);
    const start = { x: event.clientX - x, y: event.clientY - y };
    const move = (/** @type {PointerEvent} */ now) => {
      [x, y] = [now.clientX - start.x, now.clientY - start.y];
      apply();
    };
    element.addEventListener("pointermove", move);
    const end = () => element.removeEventListener("pointermove", move);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
  });
  element.addEventListener("keydown", (event) => {
    /** @type {Record<string, () => void>} */
    const keys = {
      "+": () => zoom(STEP),
      "=": () => zoom(STEP),
      "-": () => zoom(1 / STEP),
      0: fit,
      ArrowLeft: () => {
        x += 40;
        apply();
      },
      ArrowRight: () => {
        x -= 40;
        apply();
      },
      ArrowUp: () => {
        y += 40;
        apply();
      },
      ArrowDown: () => {
        y -= 40;
        apply();
      },
    };
    const action = keys[event.key];
    if (!action || event.target !== element) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  /** As large as can be read, from the top. */
  const begin = () => {
    fit();
    const wide = Math.min(1, element.clientWidth / width);
    if (wide > scale) [scale, x, y] = [wide, (element.clientWidth - width * wide) / 2, 0];
    apply();
  };
  const seen = new ResizeObserver(() => {
    if (element.clientWidth > 0) {
      begin();
      seen.disconnect();
    }
  });
  seen.observe(element);
  return element;
}
