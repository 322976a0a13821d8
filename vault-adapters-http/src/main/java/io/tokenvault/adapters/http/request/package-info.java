/**
 * Admits and reads requests: bodies, query parameters and headers as typed values. Start with
 * {@code RequestLimit}, which rejects requests under overload, and {@code RequestReader}. Bodies
 * are read field by field, unknown fields are rejected, and all violations are reported together.
 * The memory that a request reserves is released after the last byte of its response.
 */
package io.tokenvault.adapters.http.request;
