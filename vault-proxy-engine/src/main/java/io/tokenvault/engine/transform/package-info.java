/** Transforms as the server sees them: processes that run them, and what goes in and out. */
package io.tokenvault.engine.transform;
