// Draws the charts of the report, in the colours of the page, and again when these change.
const report = JSON.parse(document.getElementById("report-data").textContent);
const MANY_SERIES = 12;
const hasCharts = typeof Chart !== "undefined";

// Tooltip rows: of each visible series the point nearest in x, if it is near.
function eachNearest(chart, event) {
  const items = [];
  for (const meta of chart.getSortedVisibleDatasetMetas()) {
    if (chart.data.datasets[meta.index].ovfEdge) continue;
    let best = { distance: 24 };
    meta.data.forEach((element, index) => {
      const distance = Math.abs(element.x - event.x);
      if (distance < best.distance && !element.skip) best = { distance, element, index };
    });
    if (best.element) items.push({ element: best.element, datasetIndex: meta.index, index: best.index });
  }
  return items.sort((a, b) => a.datasetIndex - b.datasetIndex);
}
if (hasCharts) Chart.Interaction.modes.ovfEachNearest = eachNearest;

function tooltipLabel(chart, item) {
  const series = chart.series[item.dataset.ovfSeries];
  const text = `${series.name}: ${formatNumber(item.parsed.y)}`;
  if (series.style !== "band") return text;
  const bound = (value) => (value === null ? "?" : formatNumber(value));
  return `${text}  [${bound(series.lower[item.dataIndex])}, ${bound(series.upper[item.dataIndex])}]`;
}

function drawChart(view, theme) {
  const { chart, host, reset, hidden } = view;
  if (view.drawn) view.drawn.destroy();
  const canvas = document.createElement("canvas");
  host.replaceChildren(canvas);
  const isFunction = chart.series.every((s) => s.style !== "points" && isSorted(s.x));
  const mode = isFunction && chart.series.length <= MANY_SERIES ? "ovfEachNearest" : "nearest";
  const scales = {
    x: axis(chart.x_label, chart.log_x, theme, true),
    y: axis(chart.y_label, chart.log_y, theme, false, chart.y_names),
  };
  if (chart.equal_axes) {
    // What titles and ticks leave of the figure.
    const ranges = equalRanges(chart, host.clientWidth - 80, host.clientHeight - 60);
    Object.assign(scales.x, ranges.x);
    Object.assign(scales.y, ranges.y, { bounds: "data" });
  }
  view.drawn = new Chart(canvas, {
    type: "line",
    data: { datasets: datasetsOf(chart, theme) },
    plugins: [zoomPlugin],
    options: {
      animation: false,
      maintainAspectRatio: false,
      devicePixelRatio: Math.max(2, window.devicePixelRatio),
      interaction: { mode, intersect: false },
      layout: { padding: { top: 6, right: 12 } },
      font: { family: theme.sans },
      scales,
      plugins: {
        legend: { display: false },
        tooltip: {
          backgroundColor: `${theme.surface}f2`,
          borderColor: theme.rule,
          borderWidth: 1,
          titleColor: theme.muted,
          titleFont: { weight: "normal" },
          bodyColor: theme.ink,
          padding: 10,
          boxPadding: 6,
          usePointStyle: true,
          filter: (item) => !item.dataset.ovfEdge,
          callbacks: {
            title: (items) => (items.length ? `${chart.x_label || "x"}: ${formatNumber(items[0].parsed.x)}` : ""),
            label: (item) => tooltipLabel(chart, item),
          },
        },
        ovfZoom: {
          accent: theme.accent,
          muted: theme.muted,
          onZoom: (zoomed) => {
            reset.hidden = !zoomed;
          },
        },
      },
    },
  });
  reset.hidden = true;
  reset.onclick = () => resetZoom(view.drawn);
  hidden.forEach((index) => showSeries(view, index, false));
  view.drawn.update("none");
}

function showSeries(view, index, visible) {
  view.drawn.data.datasets.forEach((dataset, i) => {
    if (dataset.ovfSeries === index) view.drawn.setDatasetVisibility(i, visible);
  });
}

const views = report.charts.map((chart) => {
  const figure = document.getElementById(`chart-${chart.id}`);
  const find = (selector) => figure.querySelector(selector);
  return { chart, hidden: new Set(), host: find(".plot"), legend: find(".legend"), reset: find(".reset") };
});

function drawAll() {
  if (!hasCharts) {
    for (const view of views) {
      view.host.classList.remove("plot");
      view.host.textContent = "No chart: OVF was built without Chart.js. The data are in the file below.";
    }
    return;
  }
  const theme = readTheme();
  Chart.defaults.font.family = theme.sans;
  Chart.defaults.font.size = 13;
  for (const view of views) {
    drawLegend(view, theme);
    drawChart(view, theme);
  }
}

function setPrinting(printing) {
  document.documentElement.toggleAttribute("data-print", printing);
  for (const details of document.querySelectorAll("details")) {
    if (printing) details.dataset.wasOpen = details.open;
    details.open = printing || details.dataset.wasOpen === "true";
  }
  drawAll();
}

drawAll();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
addEventListener("beforeprint", () => setPrinting(true));
addEventListener("afterprint", () => setPrinting(false));
