package habemus.service.http;

import habemus.fenced.Person;
import habemus.fenced.Talk;
import habemus.fenced.Wish;
import habemus.service.session.Reception;
import habemus.service.session.Visitor;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Tickets of the production service. Each is a session of its own in the table that all nodes have, so that any of them
 * can renew it, look at it and end it. A ticket is 32 hexadecimal digits: the number of its session, and the nonce by
 * which a node knows that whoever shows it has it from there. If the client has drawn it itself, the first half says
 * nothing, and the session is found by the nonce.
 */
final class Tickets implements AutoCloseable {

    private static final long AGAIN = 1_000; // milliseconds after which is said again what was not answered
    private static final long GLANCE = 200; // between two looks at whether there still is a client
    private static final long PATIENCE = 5_000; // for what needs no lock
    private static final long REMEMBERED = 60_000;
    private static final int HALF = 16; // digits

    private final Reception reception;
    private final Speaker ends; // for whatever is given back: there is always room for that
    private final Map<Visitor, Speaker> speakers = new ConcurrentHashMap<>();
    private final Map<String, Seat> seats = new ConcurrentHashMap<>();
    private final AtomicLong swept = new AtomicLong(System.nanoTime());
    private final AtomicLong renewals = new AtomicLong();
    private final SecureRandom random = new SecureRandom();
    private volatile boolean stopping;

    /** What somebody wants, and how long it may take. */
    record Errand(Call call, Speaker speaker, Wish.Acquire wish, long end) {
        long left() {
            return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
    }

    /** @param end the number of the request by which this attempt ends the session, if it is in vain */
    private record Turn(Seat seat, long end) {}

    Tickets(Reception reception) {
        this.reception = reception;
        ends = new Speaker(reception, Visitor.ANYBODY);
    }

    private Speaker speaker(Visitor visitor) {
        return speakers.computeIfAbsent(visitor, any -> new Speaker(reception, visitor));
    }

    /**
     * Waits until it is granted. Who asks again with the same ticket, here or elsewhere, keeps its place in line.
     *
     * @throws Trouble if it was not
     */
    Seat take(Call call, Wish.Acquire wish) {
        forgetOld();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.waiting());
        var errand = new Errand(call, speaker(call.visitor()), wish, end);
        while (true) {
            var turn = turn(errand);
            if (queue(errand, turn)) {
                return turn.seat;
            }
        }
    }

    private Turn turn(Errand errand) {
        var drawn = errand.call.body().ticket();
        if (drawn.isPresent()) {
            var known = find(drawn.get(), errand.speaker);
            if (known.isPresent() && known.get().look(reception.table()).matches("waiting|held")) {
                return takeOver(errand, known.get());
            }
        }
        long nonce = drawn.map(Tickets::nonce).orElseGet(random::nextLong);
        long asked = System.nanoTime();
        long session = open(errand, nonce);
        var seat = new Seat(drawn.orElseGet(() -> hex(session) + hex(nonce)), session, nonce);
        seat.freshSince(asked);
        keep(seat);
        errand.speaker.attach(seat);
        return new Turn(seat, Seat.CLAIM + 1);
    }

    /**
     * Whoever waited with this ticket before, at a node that stood still perhaps, must not end it any more when its
     * time is up: the number that it would do so by is used for something else.
     */
    private Turn takeOver(Errand errand, Seat seat) {
        errand.speaker.attach(seat);
        long number = seat.next(reception.table());
        Runnable burn = () -> errand.speaker.say(new Talk.Ask(seat.session, number, 0, new Wish.Release(number)));
        burn.run();
        await(seat, Math.max(AGAIN, errand.left()), () -> seat.isAnswered(number, reception.table()), burn);
        return new Turn(seat, number + 1);
    }

    private void keep(Seat seat) {
        seats.put(seat.id, seat);
    }

    private static String hex(long number) {
        return HexFormat.of().toHexDigits(number);
    }

    private static long nonce(String ticket) {
        return HexFormat.fromHexDigitsToLong(ticket, HALF, 2 * HALF);
    }

    /** If it is opened twice by this, one of them has no claims, and ends by itself. */
    private long open(Errand errand, long nonce) {
        var call = errand.call;
        var opened = errand.speaker.opening(nonce);
        var person = new Person(call.client(), call.host(), 0);
        while (!stopping && errand.left() > 0) {
            errand.speaker.say(new Talk.Open(nonce, person, Duration.ofMillis(call.lease())));
            try {
                return opened.get(Math.min(AGAIN, Math.max(1, errand.left())), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                leaveIfCut(call);
            } catch (ExecutionException | CancellationException closed) {
                throw TicketTrouble.stopping();
            } catch (InterruptedException interrupted) {
                throw TicketTrouble.interrupted();
            }
        }
        errand.speaker.forget(nonce);
        throw stopping ? TicketTrouble.stopping() : TicketTrouble.noMajority();
    }

    private static void leaveIfCut(Call call) {
        if (call.line().isCut()) {
            throw new Trouble(499, "gone", "whoever asked is gone", "ask again");
        }
    }

    /** Whether it was granted; if not, its session is over. */
    private boolean queue(Errand errand, Turn turn) {
        var seat = turn.seat;
        long asked = ask(errand, seat);
        long said = asked;
        long number = 0;
        long beat = TimeUnit.MILLISECONDS.toNanos(errand.call.lease() / 4);
        while (true) {
            var state = seat.look(reception.table());
            seat.fault().ifPresent(fault -> {
                giveUp(errand, turn);
                throw TicketTrouble.refused(fault);
            });
            if (!state.equals("waiting")) {
                return state.equals("held") || over(state);
            }
            if (seat.isRenewed(number) && number > 0) {
                seat.freshSince(said);
                number = 0;
            }
            long now = System.nanoTime();
            if (now - said > beat) {
                said = number == 0 ? now : said;
                number = number == 0 ? renewals.incrementAndGet() : number;
                errand.speaker.say(new Talk.Renew(seat.session, number));
            }
            if (seat.wants().isEmpty() && now - asked > TimeUnit.MILLISECONDS.toNanos(AGAIN)) {
                asked = ask(errand, seat);
            }
            leaveIfOver(errand, turn);
            seat.await(Math.min(GLANCE, Math.max(1, errand.left())));
        }
    }

    private static boolean over(String state) {
        if (!state.equals("expired")) {
            throw new Trouble(410, state, "the ticket was given back while it waited", "draw another one");
        }
        return false;
    }

    private static long ask(Errand errand, Seat seat) {
        errand.speaker.say(new Talk.Ask(seat.session, Seat.CLAIM, 0, errand.wish));
        return System.nanoTime();
    }

    /** Out of the line, if the client is gone or the time is up. A ticket that the client drew may go on elsewhere. */
    private void leaveIfOver(Errand errand, Turn turn) {
        boolean late = errand.left() <= 0;
        boolean cut = !late && errand.call.line().isCut();
        if (late || (cut || stopping) && errand.call.body().ticket().isEmpty()) {
            giveUp(errand, turn);
        }
        if (stopping) {
            throw TicketTrouble.stopping();
        }
        if (cut) {
            throw new Trouble(499, "gone", "whoever asked is gone", "ask again");
        }
        if (late) {
            var seat = turn.seat;
            for (long tries = AGAIN / GLANCE;
                    tries > 0 && seat.look(reception.table()).equals("waiting");
                    tries--) {
                seat.await(GLANCE);
            }
            throw seat.wants().isEmpty() ? TicketTrouble.noMajority() : TicketTrouble.busy(seat, errand.call.waiting());
        }
    }

    private static void giveUp(Errand errand, Turn turn) {
        turn.seat.leave();
        errand.speaker.say(new Talk.Ask(turn.seat.session, turn.end, 0, new Wish.Close()));
    }

    /** The ticket, wherever it was given. */
    private Seat find(Call call) {
        return find(call, speaker(call.visitor()));
    }

    private Seat find(Call call, Speaker speaker) {
        if (!call.id().matches("[0-9a-f]{32}")) {
            throw TicketTrouble.unknown();
        }
        return find(call.id(), speaker).orElseThrow(TicketTrouble::unknown);
    }

    private Optional<Seat> find(String id, Speaker speaker) {
        var known = Optional.ofNullable(seats.get(id));
        if (known.filter(seat -> !seat.isOver()).isPresent()) {
            return known;
        }
        var found = lookup(id); // it may have begun anew, at another node
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF);
        boolean past = session > 0 && session <= reception.table().index();
        boolean isSure = found.map(this::isHeld).orElse(past); // else another node may know more
        if (!isSure && known.isEmpty()) {
            catchUp(speaker);
            found = lookup(id);
        }
        found.ifPresent(seat -> {
            keep(seat);
            speaker.attach(seat);
        });
        return found.or(() -> known);
    }

    private Optional<Seat> lookup(String id) {
        long nonce = nonce(id);
        var sessions = reception.table().sessions();
        long session = HexFormat.fromHexDigitsToLong(id, 0, HALF);
        if (sessions.get(session).filter(guest -> guest.nonce() == nonce).isPresent()) {
            return Optional.of(new Seat(id, session, nonce));
        }
        return sessions.keys().stream()
                .filter(key -> sessions.get(key).orElseThrow().nonce() == nonce)
                .findFirst()
                .map(key -> new Seat(id, key, nonce));
    }

    /** When this returns, this node knows all that any node knew before. */
    private void catchUp(Speaker speaker) {
        long nobody = Long.MAX_VALUE - random.nextInt(Integer.MAX_VALUE); // a session that will never be
        var probe = new Seat("", nobody, 0);
        speaker.attach(probe);
        await(probe, PATIENCE, probe::isOver, () -> speaker.attach(probe));
    }

    /** @param again says once more what was not answered */
    private void await(Seat seat, long patience, BooleanSupplier condition, Runnable again) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience);
        long said = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long now = System.nanoTime();
            if (stopping || now - end > 0) {
                throw stopping ? TicketTrouble.stopping() : TicketTrouble.noMajority();
            }
            if (now - said > TimeUnit.MILLISECONDS.toNanos(AGAIN)) {
                said = now;
                again.run();
            }
            seat.await(GLANCE);
        }
    }

    /** How it is, as soon as that is something other than held, and after so long at most. */
    Seat look(Call call) {
        var seat = find(call);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.patience());
        while (isHeld(seat) && end - System.nanoTime() > 0) {
            if (stopping) {
                throw TicketTrouble.stopping();
            }
            leaveIfCut(call);
            seat.await(Math.min(GLANCE, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        return seat;
    }

    /** Answers when it is in the log that the renewal has arrived. */
    Seat renew(Call call) {
        var speaker = speaker(call.visitor());
        var seat = find(call, speaker);
        if (seat.look(reception.table()).equals("waiting")) {
            catchUp(speaker);
        }
        requireHeld(seat);
        if (call.body().object().has("lease") && call.lease() != seat.lease()) {
            throw Trouble.wrong("the lease of this ticket is " + seat.lease() + " ms, and stays so", "leave lease out");
        }
        long number = renewals.incrementAndGet();
        long asked = System.nanoTime();
        speaker.attach(seat);
        speaker.say(new Talk.Renew(seat.session, number));
        await(
                seat,
                Math.min(PATIENCE, seat.lease()),
                () -> seat.isRenewed(number) || !isHeld(seat),
                () -> speaker.say(new Talk.Renew(seat.session, number)));
        requireHeld(seat);
        seat.freshSince(asked);
        return seat;
    }

    private boolean isHeld(Seat seat) {
        return seat.look(reception.table()).equals("held");
    }

    private void requireHeld(Seat seat) {
        var state = seat.look(reception.table());
        if (!state.equals("held")) {
            throw TicketTrouble.over(seat, state);
        }
    }

    /** Gives it back, or leaves the line. */
    Seat end(Call call, boolean election) {
        var seat = find(call, ends);
        var state = seat.look(reception.table());
        if (!state.matches("held|waiting")) {
            throw TicketTrouble.over(seat, state);
        }
        if (seat.isElection() != election) {
            throw new Trouble(
                    409,
                    "other-kind",
                    "this is a ticket of " + (election ? "a lock" : "an election"),
                    election ? "use release in place of resign" : "use resign in place of release");
        }
        ends.attach(seat);
        seat.leave();
        end(seat);
        await(seat, PATIENCE, () -> !seat.look(reception.table()).matches("held|waiting"), () -> end(seat));
        return seat;
    }

    /** What comes of it is seen in the table: the numbers may have been used already, by another node. */
    private void end(Seat seat) {
        long number = seat.next(reception.table());
        ends.say(new Talk.Ask(seat.session, number, 0, new Wish.Release(Seat.CLAIM)));
        ends.say(new Talk.Ask(seat.session, number + 1, number, new Wish.Close()));
    }

    /** How a ticket ended is remembered for a while. */
    private void forgetOld() {
        long now = System.nanoTime();
        long last = swept.get();
        long old = now - TimeUnit.MILLISECONDS.toNanos(REMEMBERED);
        if (last - old < 0 && swept.compareAndSet(last, now)) {
            var table = reception.table();
            seats.values().forEach(seat -> seat.look(table));
            seats.values().removeIf(seat -> seat.isOverSince(old));
        }
    }

    /** Who waits is sent away; tickets are as good at another node. */
    @Override
    public void close() {
        stopping = true;
        seats.values().forEach(Seat::wake);
        speakers.values().forEach(Speaker::close);
        ends.close();
    }
}
