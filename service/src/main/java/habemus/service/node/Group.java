package habemus.service.node;

import habemus.catalogue.Recipe;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Protocol;
import habemus.service.loop.Loop;
import habemus.service.record.Line.Arrival;
import habemus.wire.Codec;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** One lock or election on one node: the machine in its loop, the clients in their line, and the one that is in. */
abstract sealed class Group<S, M> implements Loop.Outside<M> permits LockGroup, ElectionGroup {

    /** What a group needs of its node. */
    interface Host {

        void send(NodeId to, Frame frame);

        void failed(GroupId group, RuntimeException why, Object state);

        /** Whether {@link #changed} reaches anybody. */
        boolean isWatched();

        void changed(Account account);
    }

    final Loop<S, M> loop;
    final ArrayDeque<Ticket> line = new ArrayDeque<>(); // only on the loop's thread, as all that follows
    private final GroupId id;
    private final Recipe recipe;
    private final Host host;
    private final Codec<M> codec;
    private @Nullable Ticket holder; // has been let in
    private long fence; // with which it was, or the term
    private boolean telling; // of a change

    Group(GroupId id, Recipe recipe, Protocol<S, M> protocol, Place place, Surroundings<S, M> around) {
        this.id = id;
        this.recipe = recipe;
        host = around.host();
        codec = Codec.ofMessages(protocol);
        loop = new Loop<>(protocol, place, this, around.keeping(), around.ticker());
    }

    record Surroundings<S, M>(Host host, Loop.Keeping<S, M> keeping, ScheduledExecutorService ticker) {}

    Frame open() {
        return new Frame.Open(id, recipe.text());
    }

    /** Whether that frame is about the same algorithm. */
    boolean is(String text) {
        return recipe.text().equals(text);
    }

    /** @throws habemus.wire.Malformed if it is no message of this algorithm */
    void receive(NodeId from, long incarnation, Frame.Carry frame) {
        loop.receive(from, codec.read(frame.message().open()), new Arrival(incarnation, frame.number()));
    }

    void suspect(NodeId peer, boolean down) {
        loop.suspect(peer, down);
    }

    /** Takes a place at the end of the line. */
    Ticket ask(String client) {
        var ticket = new Ticket(client);
        loop.run(() -> {
            line.add(ticket);
            moved();
            changed();
        });
        return ticket;
    }

    /** Gives back what the ticket was good for. */
    void giveBack(Ticket ticket) {
        loop.run(() -> {
            boolean held = ticket == holder;
            if (held || line.remove(ticket)) {
                ticket.end(Ticket.End.RETURNED);
            }
            if (held) {
                holder = null;
                vacated();
            }
            changed();
        });
    }

    /** The first in line, if there is one and nobody else is inside. */
    void letIn(long with) {
        if (!isHeld() && !line.isEmpty()) {
            fence = with;
            holder = line.remove();
            holder.grant(with);
        }
    }

    boolean isHeld() {
        return holder != null;
    }

    /** Whoever was let in has lost it. */
    void depose() {
        var out = holder;
        holder = null;
        if (out != null) {
            out.end(Ticket.End.LOST);
        }
    }

    /** Tells who watches, after what is already in the inbox: of many changes at once only the last is told. */
    void changed() {
        if (!telling && host.isWatched()) {
            telling = true;
            loop.run(() -> {
                telling = false;
                host.changed(describe());
            });
        }
    }

    /** Tells who watches how it is. */
    void tell() {
        loop.run(this::changed);
    }

    CompletableFuture<Account> account() {
        var account = new CompletableFuture<Account>();
        loop.run(() -> account.complete(describe()));
        return account;
    }

    Account account(int leader, long term) {
        List<Account.Client> inside = holder == null ? List.of() : List.of(holder.asClient());
        var waiting = line.stream().map(Ticket::asClient).toList();
        return new Account(id, recipe.text(), inside, isHeld() ? fence : 0, waiting, leader, term);
    }

    /** Somebody has joined the line. */
    abstract void moved();

    /** Whoever was let in has given it back. */
    abstract void vacated();

    abstract Account describe();

    @Override
    public void send(NodeId to, long number, M message) {
        host.send(to, new Frame.Carry(id, recipe.text(), number, codec.blob(message)));
    }

    @Override
    public void failed(RuntimeException why, Object state) {
        host.failed(id, why, state);
    }
}
