/**
 * The steps of an invocation and the runner that executes them. Start with {@code Step} and {@code
 * Pipeline}. A step takes an exchange and returns the next one; the runner knows order and cleanup
 * only.
 */
package io.tokenvault.engine.pipeline;
