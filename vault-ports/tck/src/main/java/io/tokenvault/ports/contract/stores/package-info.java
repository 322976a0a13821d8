/** All contract suites for a vault's stores in one class, {@code VaultStoresContract}. */
package io.tokenvault.ports.contract.stores;
