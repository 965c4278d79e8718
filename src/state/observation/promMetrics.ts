import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { redacted } from '../../kubernetes/redaction/redacted.ts';
import type { Labels, Metrics } from '../../kubernetes/observation.ts';

/** Seconds, as in client-go (k8s.io/component-base/metrics/prometheus/restclient). */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Metrics in prom-client, and the text for a scrape. */
export interface ScrapedMetrics extends Metrics {
  text(): Promise<string>;
  readonly contentType: string;
}

/** @param shown sanitizes labels for a scrape: they contain foreign names of clusters and kinds */
export function createMetrics(shown: (label: string) => string = redacted): ScrapedMetrics {
  const registry = new Registry();
  const kept = new Map<string, Counter | Gauge | Histogram>();

  function metric<M extends Counter | Gauge | Histogram>(name: string, make: () => M): M {
    const known = kept.get(name) as M | undefined;
    if (known) return known;
    const made = make();
    kept.set(name, made);
    return made;
  }
  const options = (name: string, help: string, labels: Labels) => ({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
  });

  const shownIn = (labels: Labels): Labels => {
    const safe: Record<string, string> = {};
    for (const [name, value] of Object.entries(labels)) safe[name] = shown(value);
    return safe;
  };

  return {
    count(name, help, labels = {}) {
      metric(name, () => new Counter(options(name, help, labels))).inc(shownIn(labels));
    },
    set(name, help, value, labels = {}) {
      metric(name, () => new Gauge(options(name, help, labels))).set(shownIn(labels), value);
    },
    add(name, help, by, labels = {}) {
      metric(name, () => new Gauge(options(name, help, labels))).inc(shownIn(labels), by);
    },
    observe(name, help, value, labels = {}, buckets = BUCKETS) {
      metric(name, () => new Histogram({ ...options(name, help, labels), buckets: [...buckets] })).observe(
        shownIn(labels),
        value,
      );
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
