/**
 * The steps of an invocation and the runner that executes them; {@code ProxyEngine} lists them in
 * their order. Start with {@code Step} and {@code PipelineRunner}. A step reads and updates an
 * exchange; the runner is responsible for order, retries on outdated data, and cleanup only.
 */
package io.tokenvault.engine.pipeline;
