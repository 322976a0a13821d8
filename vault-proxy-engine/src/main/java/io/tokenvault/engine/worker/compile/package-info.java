/**
 * Compilation of modern JavaScript to JavaScript that Rhino runs with the same meaning. Start with
 * {@code TransformCompiler}. Runs in compile workers only.
 */
package io.tokenvault.engine.worker.compile;
