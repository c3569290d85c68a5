/** The replicated log on etcd. */
@SuppressWarnings("requires-automatic") // gRPC, Protocol Buffers and jetcd are automatic modules with stable names
module habemus.log.etcd {
    requires com.google.protobuf;
    requires habemus.service;
    requires io.grpc;
    requires io.grpc.stub;
    requires java.logging;
    requires jetcd.grpc;
    requires org.slf4j;
    requires static org.jspecify;

    provides habemus.service.log.LogProvider with
            habemus.log.etcd.EtcdLogProvider;
}
