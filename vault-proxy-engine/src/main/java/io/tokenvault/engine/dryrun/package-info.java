/**
 * Dry runs of proxies and transforms on samples. Start with {@code DryRuns}. The real steps run,
 * nothing is sent, and tokens are masked.
 */
package io.tokenvault.engine.dryrun;
