(wanted) => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const name = (node) => `${node.tagName.toLowerCase()}${node.id ? "#" + node.id : ""}.${node.getAttribute("class") ?? ""} "${(node.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 30)}"`;
  const folded = (node) => { const details = node.closest("details:not([open])"); return details !== null && !node.closest("summary"); };
  const drawn = (node) => { const box = node.getBoundingClientRect(); return box.width > 1 && box.height > 1 && getComputedStyle(node).visibility !== "hidden"; };
  /** What of the window a node can show itself in: its scrolling boxes cut it. */
  const clip = (node) => {
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display !== "contents" && (style.overflowX !== "visible" || style.overflowY !== "visible")) {
        const box = at.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
    }
    return { left, top, right, bottom };
  };
  const meets = (node, x, y) => { const hit = document.elementFromPoint(x, y); return hit !== null && (node.contains(hit) || hit.contains(node) && hit.closest("section, header, main") === node.closest("section, header, main")); };
  const check = (node, box, points) => {
    const room = clip(node);
    if (box.left < room.left - 1 || box.top < room.top - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) {
      faults.push(`outside: ${name(node)} x ${Math.round(box.left)}..${Math.round(box.right)} y ${Math.round(box.top)}..${Math.round(box.bottom)}`);
    } else if (points.some(([x, y]) => !meets(node, x, y))) {
      faults.push(`covered: ${name(node)}`);
    }
  };
  const middle = (box) => [[(box.left + box.right) / 2, (box.top + box.bottom) / 2]];
  const corners = (box) => [[box.left + 6, box.top + 6], [box.right - 6, box.top + 6], [box.left + 6, box.bottom - 6], [box.right - 6, box.bottom - 6]];
  for (const selector of wanted.needed) {
    const nodes = all(selector).filter((node) => !folded(node));
    if (!nodes.some(drawn)) faults.push(`not drawn: ${selector}`);
    for (const node of nodes.filter(drawn)) { const box = node.getBoundingClientRect(); check(node, box, middle(box)); }
  }
  for (const selector of wanted.sentences) {
    const nodes = all(selector).filter(drawn);
    if (!nodes.length) faults.push(`not drawn: ${selector}`);
    for (const node of nodes.slice(0, 1)) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (!lines.length) faults.push(`empty: ${selector}`);
      else {
        // The box of a line is higher than its letters.
        const { left, right, top, bottom, height } = lines[0];
        check(node, { left, right, top: top + height / 5, bottom: bottom - height / 5 }, [[left + 3, (top + bottom) / 2]]);
      }
    }
  }
  for (const node of all(wanted.controls).filter((one) => !folded(one))) {
    if (!drawn(node)) { if (!node.closest("[hidden]") && node.textContent.trim()) faults.push(`not drawn: ${name(node)}`); continue; }
    const box = node.getBoundingClientRect();
    check(node, box, [...middle(box), ...corners(box)]);
    if (box.width < wanted.target - 0.5 || box.height < wanted.target - 0.5) faults.push(`small: ${name(node)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  for (const node of all(wanted.whole).filter(drawn)) {
    if (node.scrollWidth > node.clientWidth + 1) faults.push(`cut: ${name(node)} ${node.scrollWidth}>${node.clientWidth}`);
  }
  for (const node of all(wanted.text).filter((one) => drawn(one) && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))) {
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (size < 15 && !node.closest(".hidden")) faults.push(`tiny: ${name(node)} ${size}px`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`wide: ${document.documentElement.scrollWidth}`);
  if (wanted.still && document.documentElement.scrollHeight > innerHeight) faults.push(`scrolls: ${document.documentElement.scrollHeight}`);
  const board = document.querySelector(wanted.board || "none")?.getBoundingClientRect();
  if (board && board.width * board.height < wanted.share * innerWidth * innerHeight) faults.push(`board: ${Math.round(100 * board.width * board.height / innerWidth / innerHeight)} %`);
  return faults;
}
