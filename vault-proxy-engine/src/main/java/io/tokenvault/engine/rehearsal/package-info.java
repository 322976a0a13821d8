/** Samples that proxies and transforms are tried out on. */
package io.tokenvault.engine.rehearsal;
