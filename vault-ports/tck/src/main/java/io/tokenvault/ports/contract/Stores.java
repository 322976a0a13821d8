package io.tokenvault.ports.contract;

import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.store.RequestJournal;

/** All driven store ports of one adapter, over the same data. */
public interface Stores extends VaultStores {

  /** For those that keep requests that may be sent again. */
  @Override
  default RequestJournal requestJournal() {
    throw new UnsupportedOperationException("these stores keep no requests");
  }
}
