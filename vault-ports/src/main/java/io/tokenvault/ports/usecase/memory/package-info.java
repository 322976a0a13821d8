/**
 * Budgets for the memory that requests take together. A request reserves memory before it reads or
 * decrypts, and is rejected with 413 or 503 when there is none.
 */
package io.tokenvault.ports.usecase.memory;
