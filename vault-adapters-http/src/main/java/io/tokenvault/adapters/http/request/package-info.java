/**
 * Reads bodies, query parameters and headers as typed values. Start with {@code RequestReader}.
 * Each request record is read field by field, unknown fields are rejected, and all violations are
 * reported together.
 */
package io.tokenvault.adapters.http.request;
