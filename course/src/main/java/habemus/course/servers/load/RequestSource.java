package habemus.course.servers.load;

import java.util.ArrayDeque;

/** The next requests of a load: releases of granted locks, else requests for new locks. Not thread-safe. */
final class RequestSource {

    private static final int LOCKS = 10_000;
    private static final int CLIENTS = 1_000;

    /** @param lock its number, from which the client follows */
    private record Grant(int lock, String fence) {}

    private final ArrayDeque<Grant> held = new ArrayDeque<>();
    private int nextLock;

    /** @param firstLock the number of the first lock, so that two sources share none for a while */
    RequestSource(int firstLock) {
        nextLock = firstLock % LOCKS;
    }

    String next() {
        var grant = held.poll();
        if (grant != null) {
            return "release lock-" + grant.lock + " " + client(grant.lock) + " " + grant.fence;
        }
        int lock = nextLock;
        nextLock = (nextLock + 1) % LOCKS;
        return "acquire lock-" + lock + " " + client(lock);
    }

    private static int client(int lock) {
        return 2 + lock % CLIENTS;
    }

    void onReply(String request, String reply) {
        if (reply.startsWith("granted ")) {
            var lock = request.split(" ", -1)[1].substring("lock-".length());
            held.add(new Grant(Integer.parseInt(lock), reply.substring("granted ".length())));
        }
    }
}
