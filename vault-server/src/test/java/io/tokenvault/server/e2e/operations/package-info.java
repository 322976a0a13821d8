/**
 * What operators see: metrics, documentation, outages, secrets on disk and the classes on the path
 * of a request.
 */
package io.tokenvault.server.e2e.operations;
