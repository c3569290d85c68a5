package habemus.service.session;

import habemus.fenced.Answer;
import habemus.fenced.Parcel;
import habemus.fenced.Talk;
import habemus.service.session.Visitor.Right;
import habemus.wire.Malformed;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection through a {@link SocketDoor}. */
final class Visit implements Reception.Caller {

    private static final Logger LOG = LoggerFactory.getLogger(Visit.class);

    /** What was sent before a refusal was read is still read, up to so many bytes. */
    private static final int LEFTOVERS = 1 << 20;

    /** How far it is. */
    private enum Stage {
        GREETING,
        SERVED,
        /** It was told why, and nothing more is done for it. */
        LEAVING,
        OVER
    }

    private final SocketDoor door;
    private final Socket plain;
    private final Outbox outbox;
    private final Set<Long> sessions = new HashSet<>(); // only for the reception's thread
    private volatile boolean attached; // whether there are any
    private volatile Stage stage = Stage.GREETING;
    private volatile long heard = System.nanoTime();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Thread reader;
    private volatile Supplier<Optional<Visitor>> who = Optional::empty; // as it is known now
    private int edition; // of who may do what, for the thread that looks

    Visit(SocketDoor door, Socket plain) {
        this.door = door;
        this.plain = plain;
        outbox = new Outbox(door.patience().unread());
    }

    /** Until it is over. */
    void serve() throws IOException {
        try (var socket = door.secured(plain)) {
            reader = Thread.currentThread();
            outbox.open(new Sheet(socket, socket.getOutputStream()));
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            try {
                read(in, socket instanceof SSLSocket secured ? Tls.peer(secured.getSession()) : Optional.empty());
            } catch (Malformed garbage) {
                refuse(new Parcel.Refused(
                        "malformed",
                        String.valueOf(garbage.getMessage()),
                        "speak version " + Parcel.VERSION + " of the protocol"));
            }
            if (stage == Stage.LEAVING) {
                skipRest(in);
            }
        } catch (EOFException | SocketException gone) {
            LOG.debug("{} is gone: {}", this, gone.toString());
        } catch (SSLException stranger) {
            door.reception().access().refuse("somebody", toString(), "no TLS: " + stranger.getMessage());
        }
    }

    private void read(DataInputStream in, Optional<String> certificate) throws IOException {
        if (!(Frames.read(in) instanceof Parcel.Hello(var version, var token))) {
            throw new Malformed("the first frame is no Hello");
        }
        var access = door.reception().access();
        who = () -> access.who(token, certificate);
        var visitor = who.get();
        if (version != Parcel.VERSION) {
            refuse(new Parcel.Refused(
                    "wrong-version",
                    "this node speaks version " + Parcel.VERSION + ", not " + version,
                    "use a client of this version"));
        } else if (visitor.isEmpty()) {
            access.refuse(certificate.orElse("somebody"), toString(), "is not known");
            refuse(new Parcel.Refused(
                    "not-known", "this node does not know who you are", "show a token, or a certificate"));
        } else {
            serve(in, visitor.get());
        }
    }

    private void serve(DataInputStream in, Visitor visitor) throws IOException {
        var made = door.reception().connect(visitor, this);
        if (made.isEmpty()) {
            refuse(new Parcel.Refused(
                    "too-many-connections", "this node has too many connections", "connect to another node"));
            return;
        }
        try (var open = made.get()) {
            connection = open;
            begin();
            send(List.of(door.welcome()));
            while (stage == Stage.SERVED) {
                outbox.flush(); // before it waits for more
                take(Frames.read(in), open);
                if (in.available() == 0) {
                    door.reception().attend(); // to all that came together
                }
                heard = System.nanoTime();
            }
        }
    }

    /** Unless it was cut off meanwhile. */
    private synchronized void begin() {
        stage = stage == Stage.GREETING ? Stage.SERVED : stage;
    }

    private void take(Parcel.ToService parcel, Connection open) {
        switch (parcel) {
            case Parcel.Said(var request) -> open.put(request).ifPresent(this::refuse);
            case Parcel.Look(var number, var name) -> {
                if (open.visitor().may(Right.INSPECT, name)) {
                    send(List.of(Looks.seen(number, name, door.reception().table())));
                } else {
                    withhold(number, open, "to look at " + name);
                }
            }
            case Parcel.LookForDeadlocks(var number) -> {
                if (open.visitor().mayEverywhere(Right.INSPECT)) {
                    send(List.of(Looks.deadlocks(number, door.reception().table())));
                } else {
                    withhold(number, open, "to look for deadlocks");
                }
            }
            case Parcel.Hello again -> throw new Malformed("a second Hello");
        }
    }

    private void withhold(long number, Connection open, String what) {
        var who = open.visitor().name();
        door.reception().access().refuse(who, toString(), what);
        var why = new Parcel.Refused("forbidden", who + " has no right " + what, "ask for the right");
        send(List.of(new Parcel.Withheld(number, why)));
    }

    /** Says why, and goes. */
    private void refuse(Parcel.Refused why) {
        LOG.debug("{} is refused: {}", this, why);
        leave();
        heard = System.nanoTime();
        send(List.of(why));
        outbox.end();
    }

    private synchronized void leave() {
        stage = stage == Stage.OVER ? stage : Stage.LEAVING;
    }

    /** A connection that is closed while something of the other side is unread takes its last words with it. */
    private static void skipRest(InputStream in) throws IOException {
        long left = LEFTOVERS;
        for (long skipped = 1; left > 0 && skipped > 0; left -= skipped) {
            skipped = in.readNBytes((int) Math.min(left, 8_192)).length;
        }
    }

    @Override
    public void told(List<Talk.Reply> replies) {
        replies.forEach(this::note);
        send(replies.stream().map(Parcel.Told::new).toList());
    }

    /** Which sessions have their client here. */
    private void note(Talk.Reply reply) {
        switch (reply) {
            case Talk.Opened(var nonce, var session) -> sessions.add(session);
            case Talk.Renewed(var session, var number) -> sessions.add(session);
            case Talk.Answered(var session, var number, Answer.Closed over) -> sessions.remove(session);
            case Talk.Answered answered -> {}
            case Talk.Gone(var session) -> sessions.remove(session);
            case Talk.Changed changed -> {}
        }
        attached = !sessions.isEmpty();
    }

    void welcomeAgain() {
        if (stage == Stage.SERVED) {
            send(List.of(door.welcome()));
        }
    }

    /** Whoever reads for this connection also writes, when it is done with what it does, unless that may take long. */
    private void send(List<? extends Parcel.ToClient> parcels) {
        if (stage == Stage.OVER) {
            return;
        }
        if (!outbox.put(Frames.write(parcels))) {
            drop("reads too slowly: more than " + door.patience().unread() + " bytes wait for it");
        } else if (!Thread.currentThread().equals(reader) || door.reception().isBusy()) {
            outbox.hurry();
        }
    }

    private final class Sheet implements Outbox.Paper {
        private final Socket socket;
        private final OutputStream out;

        Sheet(Socket socket, OutputStream out) {
            this.socket = socket;
            this.out = out;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        @Override
        public void end() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void tear(IOException why) {
            LOG.debug("{}: {}", Visit.this, why.toString());
            close();
        }
    }

    /** Ends it, if it has kept the node waiting for too long. */
    void look() {
        var patience = door.patience();
        long silence = System.nanoTime() - heard;
        if (outbox.stuck() > patience.stuck().toNanos()) {
            drop("reads nothing");
        } else if (stage == Stage.LEAVING && silence > patience.hello().toNanos()) {
            close();
        } else if (stage == Stage.GREETING && silence > patience.hello().toNanos()) {
            drop("has not said hello");
        } else if (stage == Stage.SERVED
                && !attached
                && silence > patience.silence().toNanos()) {
            drop("has no session, and says nothing");
        } else if (stage == Stage.SERVED) {
            lookAtRights();
        }
    }

    /** Who may do other things now than when he came in has to come in again. */
    private void lookAtRights() {
        var open = connection;
        int now = door.reception().access().edition();
        if (now != edition && open != null) {
            edition = now;
            if (!who.get().equals(Optional.of(open.visitor()))) {
                drop("may do other things from now on, and has to come in again");
            }
        }
    }

    private void drop(String why) {
        if (stage != Stage.OVER) {
            LOG.warn("{} is cut off: it {}", this, why);
            close();
        }
    }

    /** The socket beneath TLS: nothing can hold that up. */
    void close() {
        end();
        var open = connection;
        if (open != null) {
            open.close();
        }
        outbox.end();
        try {
            plain.close();
        } catch (IOException broken) {
            LOG.debug("{}: {}", this, broken.toString());
        }
    }

    private synchronized void end() {
        stage = Stage.OVER;
    }

    @Override
    public String toString() {
        return plain.getInetAddress().getHostAddress() + ":" + plain.getPort();
    }
}
