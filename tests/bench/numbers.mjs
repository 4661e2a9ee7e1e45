// What rounds of measurements are reduced to.
export function median(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// rounds: [{ direct, nginx, proxy }] of one figure. Added = through something minus direct, in the same round; the ratio of what the proxy
// adds to what nginx adds is the median over the rounds, so that one disturbed round decides nothing.
export function added(rounds, figure) {
  const rows = rounds.map((round) => {
    const [direct, nginx, proxy] = ['direct', 'nginx', 'proxy'].map((way) => figure(round[way]));
    return { direct, nginx, proxy, nginxAdds: nginx - direct, proxyAdds: proxy - direct };
  });
  const ratios = rows.filter((row) => row.nginxAdds > 0).map((row) => row.proxyAdds / row.nginxAdds);
  const of = (name) => median(rows.map((row) => row[name]));
  return {
    direct: of('direct'), nginx: of('nginx'), proxy: of('proxy'), nginxAdds: of('nginxAdds'), proxyAdds: of('proxyAdds'),
    ratio: median(ratios), rounds: rows,
  };
}

export const rounded = (value, digits = 2) => (Number.isFinite(value) ? Number(value.toFixed(digits)) : null);
