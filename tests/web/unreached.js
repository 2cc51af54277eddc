(within) => {
  const faults = [];
  for (const node of document.querySelectorAll(["input", "select", "button", "a[href]", "summary"].map((one) => `${within} ${one}`).join(", "))) {
    const box = () => node.getBoundingClientRect();
    if (!box().width || node.closest("details:not([open])") && !node.closest("summary")) continue;
    node.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = box();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!hit || !(node.contains(hit) || hit.contains(node) && hit.closest("label"))) {
      faults.push(`unreached: ${node.tagName.toLowerCase()}#${node.id} "${node.textContent.trim().slice(0, 30)}"`);
    }
  }
  for (const box of document.querySelectorAll("*")) box.scrollTop = 0;
  return faults;
}
