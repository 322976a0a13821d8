/**
 * Shared base of the runtime's functions: arguments, host objects, bytes and errors. All other
 * packages of the runtime build on it.
 */
package io.tokenvault.engine.worker.node.script;
