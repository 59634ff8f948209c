// How series look: colours of the page, datasets of Chart.js, legend.
const PALETTE = 7;
const DASHES = [[], [7, 4], [2, 3]];
const SHAPES = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: colour("ink"),
    muted: colour("muted"),
    surface: colour("surface"),
    rule: colour("rule"),
    grid: colour("grid"),
    gridMinor: colour("grid-minor"),
    accent: colour("accent"),
    sans: colour("sans"),
    series: Array.from({ length: PALETTE }, (_, i) => colour(`series-${i}`)),
  };
}

const isSorted = (x) => x.every((value, i) => i === 0 || (value !== null && value >= x[i - 1]));

// What a log axis cannot show is a gap; the foot of a band goes down to the smallest value shown.
function pointsOf(chart, series, column, floor) {
  const shown = (value, log) => value !== null && (!log || value > 0);
  return series.x.map((x, i) => {
    let y = series[column][i];
    if (column === "lower" && chart.log_y && y !== null && y <= 0) y = floor;
    return { x, y: shown(x, chart.log_x) && shown(y, chart.log_y) ? y : null };
  });
}

function datasetsOf(chart, theme) {
  const positive = chart.series.flatMap((s) => s.y.concat(s.lower || [])).filter((y) => y > 0);
  const floor = positive.reduce((a, b) => Math.min(a, b), Infinity);
  return chart.series.flatMap((series, index) => {
    const colour = theme.series[index % PALETTE];
    const isPoints = series.style === "points";
    const isShort = series.x.length <= 40;
    const base = { ovfSeries: index, label: series.name, borderColor: colour, spanGaps: false };
    const main = {
      ...base,
      data: pointsOf(chart, series, "y", floor),
      showLine: !isPoints,
      backgroundColor: isPoints && !isShort ? `${colour}99` : colour,
      ...(series.style === "steps" && { stepped: "before", fill: "origin", backgroundColor: `${colour}55` }),
      borderWidth: isPoints ? 1 : 2,
      borderDash: DASHES[Math.floor(index / PALETTE) % DASHES.length],
      borderJoinStyle: "round",
      pointStyle: SHAPES[index % SHAPES.length],
      pointRadius: isPoints ? (isShort ? 4 : 2.5) : isShort ? 3 : 0,
      pointHoverRadius: 5,
      pointHitRadius: 8,
      order: 1,
    };
    if (series.style !== "band") return [main];
    const edge = { ...base, ovfEdge: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, order: 2 };
    return [
      { ...edge, data: pointsOf(chart, series, "lower", floor), fill: false },
      { ...edge, data: pointsOf(chart, series, "upper", floor), fill: "-1", backgroundColor: `${colour}30` },
      main,
    ];
  });
}

function drawSwatch(canvas, series, index, theme) {
  const context = canvas.getContext("2d");
  canvas.width = 78;
  canvas.height = 42;
  context.scale(3, 3);
  context.strokeStyle = context.fillStyle = theme.series[index % PALETTE];
  if (series.style === "band") {
    context.globalAlpha = 0.2;
    context.fillRect(0, 1, 26, 12);
    context.globalAlpha = 1;
  }
  context.lineWidth = 2;
  if (series.style !== "points") {
    context.setLineDash(DASHES[Math.floor(index / PALETTE) % DASHES.length]);
    context.beginPath();
    context.moveTo(0, 7);
    context.lineTo(26, 7);
    context.stroke();
  }
  context.setLineDash([]);
  if (series.style !== "points" && series.x.length > 40) return;
  const options = { pointStyle: SHAPES[index % SHAPES.length], radius: 4, borderWidth: 1 };
  Chart.helpers.drawPoint(context, options, 13, 7);
}

function drawLegend(view, theme) {
  if (view.chart.series.length < 2) return;
  view.legend.replaceChildren(
    ...view.chart.series.map((series, index) => {
      const button = document.createElement("button");
      const swatch = document.createElement("canvas");
      button.type = "button";
      button.setAttribute("aria-pressed", String(!view.hidden.has(index)));
      button.append(swatch, series.name);
      drawSwatch(swatch, series, index, theme);
      button.onclick = () => {
        const visible = view.hidden.delete(index);
        if (!visible) view.hidden.add(index);
        button.setAttribute("aria-pressed", String(visible));
        showSeries(view, index, visible);
        view.drawn.update("none");
      };
      return button;
    }),
  );
}
