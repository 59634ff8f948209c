// A Chart.js plugin: a line at the hovered x, and a rectangle dragged to zoom.
const zoomPlugin = {
  id: "ovfZoom",

  afterInit(chart) {
    const canvas = chart.canvas;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      const area = chart.chartArea;
      return {
        x: Math.min(area.right, Math.max(area.left, event.clientX - box.left)),
        y: Math.min(area.bottom, Math.max(area.top, event.clientY - box.top)),
      };
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      canvas.setPointerCapture(event.pointerId);
      chart.ovfDrag = { from: place(event), to: place(event) };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!chart.ovfDrag) return;
      chart.ovfDrag.to = place(event);
      chart.draw();
    });
    canvas.addEventListener("pointercancel", () => {
      chart.ovfDrag = null;
      chart.draw();
    });
    canvas.addEventListener("pointerup", () => {
      const drag = chart.ovfDrag;
      chart.ovfDrag = null;
      if (drag) zoomTo(chart, drag);
    });
    canvas.addEventListener("dblclick", () => resetZoom(chart));
  },

  afterDraw(chart) {
    const { ctx, chartArea: area } = chart;
    const theme = chart.options.plugins.ovfZoom;
    const active = chart.tooltip && chart.tooltip.getActiveElements();
    ctx.save();
    if (chart.ovfDrag) {
      const box = dragBox(chart, chart.ovfDrag);
      ctx.fillStyle = `${theme.accent}22`;
      ctx.strokeStyle = theme.accent;
      ctx.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      ctx.strokeRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    } else if (active && active.length > 0) {
      ctx.strokeStyle = theme.muted;
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(active[0].element.x, area.top);
      ctx.lineTo(active[0].element.x, area.bottom);
      ctx.stroke();
    }
    ctx.restore();
  },
};

// A flat drag zooms one axis only: the box then spans the other.
function dragBox(chart, drag) {
  const area = chart.chartArea;
  const flatX = Math.abs(drag.to.x - drag.from.x) < 12;
  const flatY = Math.abs(drag.to.y - drag.from.y) < 12;
  return {
    flatX,
    flatY,
    left: flatX ? area.left : Math.min(drag.from.x, drag.to.x),
    right: flatX ? area.right : Math.max(drag.from.x, drag.to.x),
    top: flatY ? area.top : Math.min(drag.from.y, drag.to.y),
    bottom: flatY ? area.bottom : Math.max(drag.from.y, drag.to.y),
  };
}

function zoomTo(chart, drag) {
  const box = dragBox(chart, drag);
  if (box.flatX && box.flatY) {
    chart.draw();
    return;
  }
  const { x, y } = chart.scales;
  const range = {};
  if (!box.flatX) range.x = [x.getValueForPixel(box.left), x.getValueForPixel(box.right)];
  if (!box.flatY) range.y = [y.getValueForPixel(box.bottom), y.getValueForPixel(box.top)];
  for (const [name, [min, max]] of Object.entries(range)) {
    Object.assign(chart.options.scales[name], { min, max });
  }
  chart.options.plugins.ovfZoom.onZoom(true);
  chart.update("none");
}

function resetZoom(chart) {
  for (const name of ["x", "y"]) {
    delete chart.options.scales[name].min;
    delete chart.options.scales[name].max;
  }
  chart.options.plugins.ovfZoom.onZoom(false);
  chart.update("none");
}
