package habemus.client;

import habemus.lockservice.ClientInfo;

/**
 * A client of the service, as other clients and operators see it.
 *
 * @param name the name that the client chose
 * @param host where it runs
 * @param pid its process id
 */
public record ClientIdentity(String name, String host, long pid) {

    static ClientIdentity of(ClientInfo info) {
        return new ClientIdentity(info.name(), info.host(), info.pid());
    }

    /** {@code worker-1@host/4711} */
    @Override
    public String toString() {
        return name + "@" + host + "/" + pid;
    }
}
