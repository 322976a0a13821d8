/**
 * The steps of an invocation and the runner that executes them. Start with {@code Step} and {@code
 * Pipeline}. A step reads and updates an exchange; the runner is responsible for order, retries on
 * outdated data, and cleanup only.
 */
package io.tokenvault.engine.pipeline;
