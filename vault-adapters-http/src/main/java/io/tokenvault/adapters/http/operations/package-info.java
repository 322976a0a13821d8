/**
 * The operator's view of a listener: callbacks for metrics and readiness. They are implemented by
 * the server module and must return at once.
 */
package io.tokenvault.adapters.http.operations;
