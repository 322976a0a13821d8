/**
 * Lowers modern JavaScript to what Rhino runs with the same meaning. Start with {@code
 * TransformCompiler}. Runs in compile workers only.
 */
package io.tokenvault.engine.worker.compile;
