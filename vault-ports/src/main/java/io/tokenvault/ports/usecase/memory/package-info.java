/**
 * Budgets for the memory that requests use together. A request reserves memory before it reads or
 * decrypts, and is rejected with 413 or 503 when none is left.
 */
package io.tokenvault.ports.usecase.memory;
