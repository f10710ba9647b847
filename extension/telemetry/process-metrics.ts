import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

/** Often enough to see what a user would notice, and too rarely to cost anything. */
const RESOLUTION_MS = 50;
const NS_PER_S = 1e9;

/** Measures this process, by the names of OpenTelemetry's conventions. Returns a function that ends it. */
export function measureProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const observe = (name: string, description: string, unit: string, read: () => number): void =>
    meter.createObservableGauge(name, { description, unit }).addCallback((result) => result.observe(read()));
  meter
    .createObservableCounter('process.cpu.time', { description: 'Processor time of this process', unit: 's' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  observe('process.memory.usage', 'Memory of this process', 'By', () => process.memoryUsage.rss());
  observe('v8js.memory.heap.used', 'Memory of JavaScript in use', 'By', () => process.memoryUsage().heapUsed);
  observe('nodejs.eventloop.delay.p99', 'Delay of the event loop since the last time', 's', () => {
    const p99 = delay.percentile(99) / NS_PER_S;
    delay.reset();
    return p99;
  });
  return () => void delay.disable();
}
