package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.EncryptHeader;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates all messages with a key from a shared secret. A node with another secret, or none, can
 * neither read nor send messages, and is not discovered. JGroups encrypts the payload only; this class encrypts headers
 * and header-only messages too.
 */
@SuppressWarnings("unchecked") // casts of the superclass
final class ClusterEncryption extends SYM_ENCRYPT {

    private static final short ID = 1_704;

    /** An authenticated cipher. JGroups supports none with AES. */
    private static final String CIPHER = "ChaCha20-Poly1305";

    private static final int NONCE_BYTES = 12;
    private static final int KEY_BITS = 256;
    private static final int KEY_ROUNDS = 200_000;

    static {
        ClassConfigurator.addProtocol(ID, ClusterEncryption.class);
    }

    /** @throws GeneralSecurityException if this JVM lacks the cipher */
    ClusterEncryption(String secret) throws GeneralSecurityException {
        var spec = new PBEKeySpec(secret.toCharArray(), "habemus".getBytes(UTF_8), KEY_ROUNDS, KEY_BITS);
        var key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec);
        setSecretKey(new SecretKeySpec(key.getEncoded(), "ChaCha20"));
        symAlgorithm(CIPHER);
        symIvLength(NONCE_BYTES);
    }

    @Override
    protected Message encrypt(Message message) throws Exception {
        if (message.getSrc() == null) {
            message.setSrc(local_addr);
        }
        var plain = Util.messageToBuffer(message);
        var nonce = makeIv();
        var encrypted = code(plain.getArray(), plain.getOffset(), plain.getLength(), nonce, false);
        return new BytesMessage(message.getDest(), encrypted)
                .setSrc(message.getSrc())
                .setFlag(message.getFlags(false), false)
                .setFlag(message.getFlags(true), true)
                .putHeader(id, new EncryptHeader((byte) 0, symVersion(), nonce).needsDeserialization(true));
    }

    /** Null, which drops the message, if the outer sender is not the encrypted sender. */
    @Override
    protected @Nullable Message _decrypt(Cipher cipher, Key key, Message message, EncryptHeader header)
            throws Exception {
        if (!message.hasPayload() || !header.needsDeserialization()) {
            return null;
        }
        var decrypted = super._decrypt(cipher, key, message, header);
        return Objects.equals(decrypted.getSrc(), message.getSrc()) ? decrypted : null;
    }
}
