/** All contract suites of a vault's stores in one class, {@code VaultStoresContract}. */
package io.tokenvault.ports.contract.stores;
