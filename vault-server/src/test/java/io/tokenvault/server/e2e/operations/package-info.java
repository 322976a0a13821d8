/**
 * Properties that matter to operators: metrics, documentation, leaked secrets, and the statements
 * and classes on the path of a request.
 */
package io.tokenvault.server.e2e.operations;
