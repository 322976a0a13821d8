/**
 * Transforms, on the server's side: worker processes, how they are shut in, and who gets one.
 * Scripts run in those processes only.
 */
package io.tokenvault.engine.transform;
