package habemus.service.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.fenced.Answer;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.protocol.NodeId;
import habemus.service.log.MemoryLog;
import habemus.service.net.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes over the wire, and what strangers can do there. */
class SocketDoorTest {

    private static final Member SELF =
            new Member(new NodeId(1), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_601));
    private static final SocketDoor.Patience SHORT =
            new SocketDoor.Patience(Duration.ofMillis(200), Duration.ofMillis(300), Duration.ofMillis(300), 1 << 18);

    private final MemoryLog log = new MemoryLog(new MemoryLog.Shared(List.of(SELF)), SELF.node());
    private final Reception reception = new Reception(SELF.node(), log, Access.open(), Limits.STANDARD);
    private SocketDoor door = door(SocketDoor.Patience.STANDARD);

    private SocketDoor door(SocketDoor.Patience patience) {
        var made = new SocketDoor(
                reception,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> new Parcel.Welcome(Parcel.VERSION, "n1", List.of("here"), false),
                Optional.empty(),
                patience);
        made.open();
        return made;
    }

    @BeforeEach
    void start() {
        reception.start();
    }

    @AfterEach
    void stop() {
        door.close();
        log.close();
        reception.close();
    }

    private RawClient client() {
        return RawClient.welcomeAt(door.address());
    }

    private void impatient() {
        door.close();
        door = door(SHORT);
    }

    @Test
    void a_client_acquires_and_releases() {
        try (var client = client()) {
            long session = client.open(7);
            client.acquire(session, 1, "orders");
            assertThat(client.answer(session, 1)).isEqualTo(new Answer.Granted(session + 1));
            client.send(new Parcel.Look(5, Name.lock("orders")));
            var seen = client.read(Parcel.Seen.class, any -> true);
            assertThat(seen.number()).isEqualTo(5);
            assertThat(seen.description().holders()).singleElement().satisfies(holder -> {
                assertThat(holder.person().name()).isEqualTo("worker-7");
                assertThat(holder.fence()).isEqualTo(session + 1);
            });
            client.ask(session, 2, new Wish.Release(1));
            assertThat(client.answer(session, 2)).isEqualTo(new Answer.Released());
            client.renew(session, 1);
            client.ask(session, 3, new Wish.Close());
            assertThat(client.answer(session, 3)).isEqualTo(new Answer.Closed());
        }
    }

    @Test
    void who_waits_is_told_when_it_is_let_in() {
        try (var one = client();
                var two = client()) {
            long first = one.open(1);
            long second = two.open(2);
            one.acquire(first, 1, "orders");
            assertThat(one.answer(first, 1)).isInstanceOf(Answer.Granted.class);
            two.acquire(second, 1, "orders");
            assertThat(two.answer(second, 1)).isEqualTo(new Answer.Waiting());
            one.ask(first, 2, new Wish.Release(1));
            assertThat(two.answer(second, 1)).isInstanceOf(Answer.Granted.class);
        }
    }

    @Test
    void a_thousand_requests_at_once_are_answered_in_their_order() {
        try (var client = client()) {
            long session = client.open(1);
            client.send(LongStream.rangeClosed(1, 1_000)
                    .mapToObj(number -> new Parcel.Said(
                            new Talk.Ask(session, number, 0, Wish.Acquire.of(Want.exclusive("lock-" + number)))))
                    .toArray(Parcel.ToService[]::new));
            for (long number = 1; number <= 1_000; number++) {
                var answered = client.read(Talk.Answered.class, any -> true);
                assertThat(answered.number()).isEqualTo(number);
                assertThat(answered.answer()).isInstanceOf(Answer.Granted.class);
            }
            assertThat(reception.counts().entries()).isLessThan(1_000);
        }
    }

    @Test
    void garbage_is_refused_and_hurts_nobody() {
        try (var bystander = client();
                var stranger = RawClient.connect(door.address())) {
            long session = bystander.open(1);
            stranger.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(UTF_8));
            assertThat(stranger.refusal().code()).isEqualTo("malformed");
            bystander.acquire(session, 1, "orders");
            assertThat(bystander.answer(session, 1)).isInstanceOf(Answer.Granted.class);
        }
    }

    @Test
    void garbage_after_the_hello_is_refused() {
        try (var client = client()) {
            client.write((byte) 0, (byte) 0, (byte) 0, (byte) 2, (byte) 99, (byte) 99);
            assertThat(client.refusal().message()).contains("99");
        }
    }

    @Test
    void a_frame_that_is_too_long_is_refused_before_it_is_read() {
        try (var client = client()) {
            client.write((byte) 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF);
            assertThat(client.refusal().message()).contains("1048576", "2147483647");
        }
    }

    @Test
    void who_does_not_begin_with_hello_is_refused() {
        try (var client = RawClient.connect(door.address())) {
            client.say(new Talk.Watch());
            assertThat(client.refusal().message()).contains("Hello");
        }
    }

    @Test
    void another_version_is_refused() {
        try (var client = RawClient.connect(door.address())) {
            client.send(new Parcel.Hello(Parcel.VERSION + 1, ""));
            assertThat(client.refusal().code()).isEqualTo("wrong-version");
        }
    }

    @Test
    void who_hangs_up_in_the_midst_of_a_frame_is_gone_and_its_session_lives() {
        long session;
        try (var client = client()) {
            session = client.open(1);
            client.write((byte) 0, (byte) 0, (byte) 1);
        }
        try (var again = client()) {
            again.say(new Talk.Attach(session, 1));
            again.renew(session, 1);
        }
    }

    @Test
    void who_says_no_hello_is_cut_off() {
        impatient();
        try (var client = RawClient.connect(door.address())) {
            client.write((byte) 0);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void who_has_no_session_and_says_nothing_is_cut_off_and_who_has_one_is_not() {
        impatient();
        try (var quiet = client();
                var idle = client()) {
            long session = quiet.open(1);
            assertThat(idle.isClosed()).isTrue();
            quiet.renew(session, 1);
        }
    }

    @Test
    void who_does_not_read_is_cut_off_and_its_session_lives() throws IOException {
        impatient();
        long session;
        try (var deaf = client()) {
            session = deaf.open(1);
            deaf.acquire(session, 1, "orders");
            assertThat(deaf.answer(session, 1)).isInstanceOf(Answer.Granted.class);
            var looks = IntStream.range(0, 1_000)
                    .mapToObj(number -> new Parcel.Look(number, Name.lock("orders")))
                    .toArray(Parcel.ToService[]::new);
            assertThat(catchThrowable(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            deaf.send(looks);
                        }
                    }))
                    .isInstanceOf(UncheckedIOException.class);
        }
        try (var again = client()) {
            again.say(new Talk.Attach(session, 1));
            again.renew(session, 1);
            assertThat(reception.table().holders(Name.lock("orders"))).hasSize(1);
        }
    }

    @Test
    void watchers_are_told_of_changes() {
        try (var watcher = client();
                var client = client()) {
            watcher.say(new Talk.Watch());
            watcher.open(2); // so the watch has begun
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            assertThat(watcher.read(Talk.Changed.class, any -> true).name()).isEqualTo(Name.lock("orders"));
        }
    }

    @Test
    void a_door_that_is_closed_lets_its_clients_go() throws IOException {
        try (var client = client()) {
            door.close();
            assertThat(client.isClosed()).isTrue();
            assertThatThrownBy(() -> {
                        try (var late = new Socket(
                                door.address().getAddress(), door.address().getPort())) {
                            late.setSoTimeout(2_000); // the port may be somebody else's by now, or the socket's own
                            late.getInputStream().read();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }
}
