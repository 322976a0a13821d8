package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.ByteView;
import java.security.GeneralSecurityException;

/** A cipher at work, from its key to its last block. */
interface CipherMode {
  byte[] update(ByteView input) throws GeneralSecurityException;

  byte[] finish() throws GeneralSecurityException;
}
