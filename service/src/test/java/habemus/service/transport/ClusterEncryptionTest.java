package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.protocols.EncryptHeader;
import org.jgroups.protocols.MERGE3;
import org.jgroups.stack.Protocol;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing of a message is outside, and nothing that was not inside is heard. */
class ClusterEncryptionTest {

    private static final short HEADER = 54; // any

    private final Address sender = UUID.randomUUID();
    private ClusterEncryption clusterEncryption;

    @BeforeEach
    void seal() throws Exception {
        clusterEncryption = new ClusterEncryption("correct horse");
        clusterEncryption.init();
    }

    /** Nothing if nobody above hears of it. */
    private static @Nullable Message open(ClusterEncryption by, Message sealed) {
        var heard = new AtomicReference<@Nullable Message>();
        by.setUpProtocol(new Protocol() {
            @Override
            public Object up(Message message) {
                heard.set(message);
                return message;
            }
        });
        by.up(sealed);
        return heard.get();
    }

    @Test
    void all_of_it_is_inside() throws Exception {
        var message = new BytesMessage(null, "hello".getBytes(UTF_8))
                .setSrc(sender)
                .setFlag(Message.Flag.OOB)
                .putHeader(HEADER, new MERGE3.MergeHeader());
        var sealed = clusterEncryption.encrypt(message);
        assertThat(sealed.getHeaders()).as("but how to open it").hasSize(1).containsKey(clusterEncryption.getId());
        assertThat(new String(sealed.getArray(), UTF_8)).doesNotContain("hello");
        assertThat(sealed.isFlagSet(Message.Flag.OOB)).isTrue();
        var opened = requireNonNull(open(clusterEncryption, sealed));
        assertThat(opened.<byte[]>getObject()).isEqualTo("hello".getBytes(UTF_8));
        assertThat(opened.<MERGE3.MergeHeader>getHeader(HEADER)).isNotNull();
    }

    @Test
    void a_message_of_headers_only_is_inside_too() throws Exception {
        var sealed = clusterEncryption.encrypt(
                new EmptyMessage(null).setSrc(sender).putHeader(HEADER, new MERGE3.MergeHeader()));
        assertThat(sealed.getHeaders()).hasSize(1);
        assertThat(requireNonNull(open(clusterEncryption, sealed)).<MERGE3.MergeHeader>getHeader(HEADER))
                .isNotNull();
    }

    @Test
    void what_is_not_inside_is_not_heard() throws Exception {
        var known = new EncryptHeader((byte) 0, clusterEncryption.symVersion(), new byte[12]);
        assertThat(open(
                        clusterEncryption,
                        new EmptyMessage(null).setSrc(sender).putHeader(clusterEncryption.getId(), known)))
                .isNull();
        var payload = new BytesMessage(null, "hello".getBytes(UTF_8)).setSrc(sender);
        assertThat(open(clusterEncryption, payload.putHeader(clusterEncryption.getId(), known)))
                .isNull();
    }

    @Test
    void what_was_changed_or_comes_from_another_is_not_heard() throws Exception {
        var message = new BytesMessage(null, "hello".getBytes(UTF_8)).setSrc(sender);
        var changed = clusterEncryption.encrypt(message);
        changed.getArray()[3] ^= 1;
        assertThat(open(clusterEncryption, changed)).isNull();
        assertThat(open(clusterEncryption, clusterEncryption.encrypt(message).setSrc(UUID.randomUUID())))
                .isNull();
    }

    @Test
    void another_secret_opens_nothing() throws Exception {
        var other = new ClusterEncryption("battery staple");
        other.init();
        assertThat(open(other, clusterEncryption.encrypt(new BytesMessage(null, new byte[5]).setSrc(sender))))
                .isNull();
    }
}
