/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders to which only this user can write, so that their files can be trusted. */
#ifndef LDPC_PRIVATE_FOLDER_H
#define LDPC_PRIVATE_FOLDER_H

#include "base/status_internal.h"

#include <stdio.h>

/* Opens a folder. Its owner must be the current user or root, and only the owner may have write permission
 * (ssh has the same rule for its files). Returns a file descriptor, or -1 and an error message. */
int ldpc_private_folder_open(const char *path, ldpc_error *err);

/* Does the same as ldpc_private_folder_open(), but first creates the folder with mode 700 if it does not
 * exist. */
int ldpc_private_folder_make(const char *path, ldpc_error *err);

/* Opens a file in the folder for reading. It must be a regular file, with an owner and permissions as
 * required for the folder. Symbolic links are not followed; a pipe does not block. Returns NULL if there is
 * no such file. */
FILE *ldpc_private_file_open(int folder, const char *name);

/* Creates a file with mode 600. Returns NULL if the file already exists or cannot be created. */
FILE *ldpc_private_file_make(int folder, const char *name);

#endif
