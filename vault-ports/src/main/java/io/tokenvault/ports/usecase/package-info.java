/**
 * What the vault does, one class for each group of use cases. Each checks the caller's permission
 * by itself, records what it does and what it refuses, and answers with domain values.
 */
package io.tokenvault.ports.usecase;
