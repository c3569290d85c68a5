package habemus.lockservice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.TicketId;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs and failure reports print messages, states and tables. None of them shows a nonce or a token. */
class SecretsTest {

    private static final long NONCE = 4_711_081_599_077L;
    private static final String TOKEN = "s3cr3t";
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final ClientInfo CLIENT = new ClientInfo("billing", "host", 1);
    private static final Command OPEN = new Command.OpenSession(NONCE, CLIENT, LEASE);

    static Stream<Object> values() {
        var table = LockTable.EMPTY.apply(CommandBatch.of(1, OPEN)).table();
        return Stream.of(
                new Message.OpenSession(NONCE, CLIENT, LEASE),
                new Message.Attach(1, NONCE),
                new Message.SessionOpened(NONCE, 1),
                new Message.SessionRefused(NONCE, RejectionReason.FORBIDDEN),
                new Notification.SessionRefused(NONCE, RejectionReason.FORBIDDEN),
                new Message.Propose(List.of(OPEN)),
                new Notification.SessionOpened(NONCE, 1),
                OPEN,
                new ClientFrame.Hello(ClientFrame.VERSION, TOKEN, ""),
                new ClientFrame.Request(new Message.Attach(1, NONCE)),
                new ClientSession(CLIENT, LEASE, NONCE),
                new ClientSession.Phase.Opening(NONCE, new SessionOrigin.Successor(1, NONCE, List.of(1L))),
                new SessionOrigin.TicketRequest(new TicketId(NONCE, NONCE), NONCE, 1),
                new Operation.Abandon(NONCE),
                new ClientSession.Phase.Live(1, NONCE),
                new LockServer.PendingAttach(new NodeId(4), NONCE),
                table,
                table.sessions(),
                new Message.SnapshotInstalled(table));
    }

    @ParameterizedTest
    @MethodSource("values")
    void no_text_of_a_value_shows_a_secret(Object value) {
        assertThat(value.toString()).doesNotContain(Long.toString(NONCE)).doesNotContain(TOKEN);
    }
}
