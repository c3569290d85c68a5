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

/** One lock or election on one node: the machine in its loop, and the clients in their line. */
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
            if (line.remove(ticket)) {
                ticket.end(Ticket.End.RETURNED);
            } else {
                returned(ticket);
            }
            changed();
        });
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

    Account account(List<Account.Client> holder, long fence, int leader, long term) {
        var waiting = line.stream().map(Ticket::asClient).toList();
        return new Account(id, recipe.text(), holder, fence, waiting, leader, term);
    }

    /** Somebody has joined the line. */
    abstract void moved();

    /** Somebody who was let in gives it back. */
    abstract void returned(Ticket ticket);

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
