/**
 * Compilation of modern JavaScript to JavaScript that Rhino runs with the same meaning. Start with
 * {@code TransformCompiler}, which runs in compile workers only; {@code ScriptResources} serves all
 * workers.
 */
package io.tokenvault.engine.worker.compile;
