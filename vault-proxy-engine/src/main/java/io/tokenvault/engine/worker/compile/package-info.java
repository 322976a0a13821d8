/** Turns scripts as Node.js runs them into what a worker runs; for compile workers only. */
package io.tokenvault.engine.worker.compile;
