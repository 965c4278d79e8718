# The image of the command line and of `controller run`: the executable, which npm run dist has made, on a base that has glibc.
#   docker build -f Dockerfile -t REGISTRY/karmada-failover:VERSION release
# It writes nothing, so that its root can be read-only.
ARG BASE=debian:stable-slim
FROM ${BASE}
ARG TARGETARCH=amd64
COPY linux-${TARGETARCH}/kubectl-karmada_failover /usr/bin/kubectl-karmada_failover
COPY linux-${TARGETARCH}/THIRD-PARTY /usr/share/doc/kubectl-karmada-failover/THIRD-PARTY
# a number, so that the kubelet can see that it is not root
USER 65532:65532
ENTRYPOINT ["/usr/bin/kubectl-karmada_failover"]
