package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.ByteView;
import java.security.GeneralSecurityException;

/** A cipher in operation, from the key to the last block. */
interface CipherMode {
  /**
   * Encrypts or decrypts a part of the data.
   *
   * @return the output so far, which may be empty
   */
  byte[] update(ByteView input) throws GeneralSecurityException;

  /**
   * Ends the operation. A wrong padding, length or authentication tag throws a {@code NodeError}.
   *
   * @return the rest of the output
   */
  byte[] finish() throws GeneralSecurityException;
}
