// Numbers and axes: ticks at round numbers, powers of ten on a log axis.
"use strict";

const superscript = (n) => String(n).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
const group = (text) => text.replace(/,/g, "\u202f").replace("-", "−");

function scientific(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const power = `10${superscript(Number(exponent))}`;
  const factor = String(Number(mantissa)).replace("-", "−");
  return factor === "1" ? power : factor === "−1" ? `−${power}` : `${factor}×${power}`;
}

function formatNumber(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (Number.isInteger(value) && size < 1e9) return group(value.toLocaleString("en"));
  if (size >= 1e6 || size < 1e-4) return scientific(value, 4);
  const digits = Math.max(5, Math.ceil(Math.log10(size)));
  return group(value.toLocaleString("en", { maximumSignificantDigits: digits }));
}

function linearTicks(scale) {
  const length = scale.isHorizontal() ? scale.width || 800 : scale.height || 380;
  const count = Math.max(2, length / (scale.isHorizontal() ? 95 : 45));
  const rough = (scale.max - scale.min) / count;
  if (!(rough > 0)) return [{ value: scale.min, label: formatNumber(scale.min) }];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough * 0.999) * power;
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const largest = Math.max(Math.abs(scale.min), Math.abs(scale.max));
  const isTimeStamp = largest / step > 1e5;
  const label = (value) => {
    if (value === 0) return "0";
    if ((largest >= 1e6 && !isTimeStamp) || largest < 1e-3) {
      const digits = Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9);
      return scientific(value, Math.min(15, Math.max(0, digits)));
    }
    const fixed = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return group(value.toLocaleString("en", fixed));
  };
  const ticks = [];
  const first = Math.ceil(scale.min / step - 1e-9);
  for (let i = first; i * step <= scale.max + step * 1e-9; ++i) {
    const value = i === 0 ? 0 : Number((i * step).toPrecision(12));
    ticks.push({ value, major: true, label: label(value) });
  }
  return ticks;
}

function logTicks(scale) {
  const decades = Math.log10(scale.max / scale.min);
  if (decades < 0.5) return linearTicks(scale);
  const first = Math.floor(Math.log10(scale.min) + 1e-9);
  const last = Math.ceil(Math.log10(scale.max) - 1e-9);
  const every = Math.ceil(decades / (scale.isHorizontal() ? 12 : 8));
  const named = decades < 1.5 ? [1, 2, 3, 5, 7] : decades < 2.5 ? [1, 2, 5] : [1];
  const plain = scale.min >= 9.9e-4 && scale.max <= 1.1e6;
  const ticks = [];
  for (let k = first; k <= last; ++k) {
    for (let m = 1; m <= (every === 1 ? 9 : 1); ++m) {
      const value = Number(`${m}e${k}`);
      if (value < scale.min * 0.9999 || value > scale.max * 1.0001) continue;
      const labelled = named.includes(m) && (k - first) % every === 0;
      const label = plain ? formatNumber(value) : scientific(value, 0);
      ticks.push({ value, major: m === 1, label: labelled ? label : "" });
    }
  }
  return ticks;
}

function nameTicks(names) {
  return names.map((label, value) => ({ value, major: true, label }));
}

// Ranges of both axes in which a unit has the same length, around all points.
function equalRanges(chart, width, height) {
  const range = (values) => {
    const shown = values.filter((value) => value !== null);
    const low = shown.reduce((a, b) => Math.min(a, b), Infinity);
    const high = shown.reduce((a, b) => Math.max(a, b), -Infinity);
    return { middle: (low + high) / 2, length: Math.max(high - low, 1e-6) * 1.06 };
  };
  const x = range(chart.series.flatMap((series) => series.x));
  const y = range(chart.series.flatMap((series) => series.y));
  const unit = Math.max(x.length / width, y.length / height);
  const ends = ({ middle }, pixels) => ({ min: middle - (unit * pixels) / 2, max: middle + (unit * pixels) / 2 });
  return { x: ends(x, width), y: ends(y, height) };
}

function axis(title, log, theme, horizontal, names = []) {
  return {
    type: log ? "logarithmic" : "linear",
    ...(names.length && { min: -0.5, max: names.length - 0.5 }),
    bounds: horizontal ? "data" : "ticks",
    title: { display: title !== "", text: title, color: theme.muted, padding: { top: 4, bottom: 4 } },
    grid: {
      color: (context) => (context.tick && context.tick.major ? theme.grid : theme.gridMinor),
      borderColor: theme.rule,
      drawTicks: false,
    },
    ticks: {
      color: theme.muted,
      padding: 8,
      autoSkip: false,
      maxRotation: 0,
      callback: (value, index, ticks) => ticks[index].label,
    },
    afterBuildTicks: (scale) => {
      scale.ticks = names.length ? nameTicks(names) : (log ? logTicks : linearTicks)(scale);
    },
  };
}
