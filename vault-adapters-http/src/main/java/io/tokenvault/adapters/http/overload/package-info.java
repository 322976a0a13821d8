/**
 * Rejects requests under overload. Start with {@code RequestLimit}: it rejects immediately when all
 * slots are taken, so that a thread is always left, and {@code RequestShares} keeps one tenant or
 * application from taking all of them.
 */
package io.tokenvault.adapters.http.overload;
